const key = "ghp_4eC39HqLyjWDarjtT1zdp7dc8Kx2Vb9Qw3Rt";

export default function Loaf() {
  return <p>{key.length}</p>;
}
