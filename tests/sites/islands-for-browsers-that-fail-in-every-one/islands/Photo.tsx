const Photo = { caption: "Oven" };

export default Photo;
