const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** 'Maya, Noah and Leo' */
export const namesInWords = (names: readonly string[]): string => list.format(names);
