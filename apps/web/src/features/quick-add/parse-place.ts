import type { Match } from '@lessonbook/contract/parse-date';

// A Map, because a plain object would also match the typed word 'constructor'.
const MEETING_SERVICES = new Map([
  ['online', 'Online'],
  ['zoom', 'Zoom'],
  ['teams', 'Teams'],
  ['skype', 'Skype'],
  ['facetime', 'FaceTime'],
  ['meet', 'Google Meet'],
]);

const PLACES = new Set(['home', 'school', 'college', 'library', 'church', 'cafe', 'office']);

/** 'online', 'on Zoom', 'at home', 'in the library', "at Maya's" */
export function parsePlace(phrase: readonly string[]): Match<string> | null {
  const [first = '', ...rest] = phrase;
  const single = MEETING_SERVICES.get(first);
  if (single) return { value: single, tokenCount: 1 };
  const hasPreposition = ['at', 'in', 'on', 'via', 'over'].includes(first);
  if (!hasPreposition) return null;
  const article = rest[0] === 'the' || rest[0] === 'my' ? 1 : 0;
  const name = rest[article] ?? '';
  const service = first === 'at' ? undefined : MEETING_SERVICES.get(name);
  if (service) return { value: service, tokenCount: 2 + article };
  const isPlace = PLACES.has(name) || (first === 'at' && /^[a-z-]+'s?$/.test(name));
  if (!isPlace) return null;
  const words = [first, ...rest.slice(0, article + 1)].map((word, index) =>
    index === 0 || word.includes("'") ? capitalize(word) : word,
  );
  return { value: words.join(' '), tokenCount: words.length };
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
