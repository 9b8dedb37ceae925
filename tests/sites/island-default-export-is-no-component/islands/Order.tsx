export default "One loaf, please.";
