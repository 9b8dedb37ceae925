const units = ["B", "KB", "MB", "GB"];

/** `1.4 MB`, in the same words on every machine: what `toLocaleString` returns depends on where it runs. */
export function fileSize(bytes: number): string {
  let unit = 0;
  // From 999.5 on the rounded figure would be 1000.
  for (; bytes >= 999.5 && unit < 3; unit++) bytes /= 1000;
  return `${bytes.toFixed(unit > 1 ? 1 : 0)} ${units[unit]}`;
}
