if (typeof window === "undefined") throw new Error("the player needs a window");

export default function Player() {
  return <video controls />;
}
