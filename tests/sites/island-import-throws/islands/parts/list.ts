export { euros } from "./table";
