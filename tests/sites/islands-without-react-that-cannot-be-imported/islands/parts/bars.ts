export const bars: string[] = JSON.parse("rye");
