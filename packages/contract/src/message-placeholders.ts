/* The placeholders of messages that the tutor writes to families. The browser fills them in for the preview. */

export const MESSAGE_PLACEHOLDERS = [
  { name: 'name', label: 'First name' },
  { name: 'children', label: 'Children' },
  { name: 'amount', label: 'Amount due' },
  { name: 'tutor', label: 'Your name' },
] as const;

export type PlaceholderName = (typeof MESSAGE_PLACEHOLDERS)[number]['name'];
export type PlaceholderValues = Readonly<Record<PlaceholderName, string>>;

const PLACEHOLDER = /\{([^{}\n]*)\}/g;

const isKnown = (name: string): name is PlaceholderName =>
  MESSAGE_PLACEHOLDERS.some((placeholder) => placeholder.name === name);

/** Unknown placeholders as typed, such as '{nmae}', which would appear unchanged in the message. */
export const findUnknownPlaceholders = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([typed, name = '']) => (isKnown(name) ? [] : typed));

export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(PLACEHOLDER, (typed, name: string) => (isKnown(name) ? values[name] : typed));

/** Explains which placeholder in the text has no value for this family; null if all placeholders have one. */
export function findMissingValue(text: string, values: PlaceholderValues): string | null {
  const used = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name);
  if (used.includes('children') && values.children === '') {
    return "They have no student with you at the moment, so {children} can't be filled in.";
  }
  return used.includes('amount') && values.amount === ''
    ? "They don't owe anything, so {amount} can't be filled in."
    : null;
}
