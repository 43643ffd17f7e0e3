import { normalizeText } from '@lessonbook/contract/normalize-text';
import type { Icon } from '@tabler/icons-react';

export const SECTIONS = [
  'New lesson',
  'Suggested',
  'Actions',
  'Go to',
  'Students',
  'Families',
  'Contacts',
  'Lessons',
  'Invoices',
  'Payments',
  'Subjects',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Command {
  id: string;
  section: Section;
  label: string;
  hint?: string | undefined;
  /** Additional search terms. */
  keywords?: string;
  Icon: Icon;
  /** A page takes focus, a dialog returns focus when it closes, and a step keeps the palette open. */
  opens: 'page' | 'dialog' | 'step';
  run: () => void;
}

export interface SearchSection {
  section: Section;
  commands: Command[];
}

/** The number of results without a query: actions, the main pages and the first students. */
const DEFAULT_COUNTS: Partial<Record<Section, number>> = { Actions: 6, 'Go to': 5, Students: 5 };
const MAX_RESULTS = 8;

/**
 * Sorts sections by their best match, and commands within a section by rank. The server has already ranked its results.
 * A section of server results comes before a local section only if a name matches better, so that results that arrive
 * late rarely move the others.
 */
export function searchCommands(
  commands: readonly Command[],
  typed: string,
  found: readonly Command[] = [],
): SearchSection[] {
  const query = normalizeText(typed).trim();
  const sections = SECTIONS.map((section) => {
    const sectionCommands = commands.filter((command) => command.section === section);
    // A single section is shown in full.
    const count =
      sectionCommands.length === commands.length ? MAX_RESULTS : (DEFAULT_COUNTS[section] ?? 0);
    if (query === '') return { section, bestRank: 0, commands: sectionCommands.slice(0, count) };
    const ranked = sectionCommands
      .map((command) => ({ command, rank: rankOf(command, query) }))
      .filter(({ rank }) => rank < NO_MATCH)
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MAX_RESULTS);
    const serverMatches = found
      .filter((command) => command.section === section)
      .map((command) => ({ command, rank: Math.min(rankOf(command, query), KEYWORD_MATCH) }));
    const all = [...ranked, ...serverMatches];
    return {
      section,
      bestRank: Math.min(NO_MATCH, ...all.map(({ rank }) => rank)),
      commands: all.map(({ command }) => command),
    };
  });
  return sections
    .filter((result) => result.commands.length > 0)
    .toSorted((a, b) => a.bestRank - b.bestRank)
    .map(({ section, commands: shown }) => ({ section, commands: shown }));
}

/** Whether every typed word is somewhere in the label or the hint. */
export function containsWords({ label, hint = '' }: Command, typed: string): boolean {
  const text = normalizeText(`${label} ${hint}`);
  return normalizeText(typed)
    .trim()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const KEYWORD_MATCH = 3;
const NO_MATCH = 9;

/** Lower is better. Every typed word must be a prefix of a word in the label or the keywords. */
function rankOf({ label, keywords = '' }: Command, query: string): number {
  const name = normalizeText(label);
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  const typed = query.split(/\s+/);
  const matches = (text: string) => {
    const words = text.split(/[\s,/-]+/);
    return typed.every((prefix) => words.some((word) => word.startsWith(prefix)));
  };
  if (matches(name)) return 2;
  return matches(`${name} ${normalizeText(keywords)}`) ? KEYWORD_MATCH : NO_MATCH;
}
