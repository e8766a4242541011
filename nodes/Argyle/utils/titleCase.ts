export const titleCase = (text: string) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
