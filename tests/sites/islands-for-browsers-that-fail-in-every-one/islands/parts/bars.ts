const names: string[] = JSON.parse("rye");

export const bars = names.map((name) => name.toUpperCase());
