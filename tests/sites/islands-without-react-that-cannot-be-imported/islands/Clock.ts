export const mount = "noon";
