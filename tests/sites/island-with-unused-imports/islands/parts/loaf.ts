export interface Loaf {
  name: string;
}
