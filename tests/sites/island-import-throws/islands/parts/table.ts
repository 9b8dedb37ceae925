const table: Record<string, { euros: number }> = {};

export const euros = table.rye!.euros;
