import type { Icon } from '@tabler/icons-react';
import { normalizeText } from '../../lib/normalize-text.ts';

export const SECTIONS = ['Lesson', 'Do', 'Go to', 'Students', 'Families'] as const;
export type Section = (typeof SECTIONS)[number];

/** One thing that can be picked. */
export interface Command {
  id: string;
  section: Section;
  label: string;
  hint?: string | undefined;
  /** Other words by which people look for it. */
  alias?: string;
  Icon: Icon;
  /** A page takes the focus, a dialog gives it back where it was, and a question keeps the palette open. */
  leads: 'page' | 'dialog' | 'question';
  run: () => void;
}

export interface SearchSection {
  section: Section;
  commands: Command[];
}

/** Before anything is typed: what can be done, the main pages, and the first students. */
const DEFAULT_COUNTS: Record<Section, number> = {
  Lesson: 0,
  Do: 6,
  'Go to': 5,
  Students: 5,
  Families: 0,
};
const MAX_RESULTS = 8;

/** What fits the words, best first: the sections by their best, and in each the better ones before the others. */
export function searchCommands(commands: readonly Command[], typed: string): SearchSection[] {
  const query = normalizeText(typed).trim();
  const sections = SECTIONS.map((section) => {
    const own = commands.filter((command) => command.section === section);
    // What is asked for alone is shown at once.
    const atRest = own.length === commands.length ? MAX_RESULTS : DEFAULT_COUNTS[section];
    if (query === '') return { section, best: 0, commands: own.slice(0, atRest) };
    const ranked = own
      .map((command) => ({ command, rank: rankOf(command, query) }))
      .filter(({ rank }) => rank < NO_MATCH)
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, MAX_RESULTS);
    return {
      section,
      best: ranked[0]?.rank ?? NO_MATCH,
      commands: ranked.map(({ command }) => command),
    };
  });
  return sections
    .filter((each) => each.commands.length > 0)
    .toSorted((one, other) => one.best - other.best)
    .map(({ section, commands: found }) => ({ section, commands: found }));
}

const NO_MATCH = 9;

/** Smaller is better. Every typed word must begin a word of the label or of what else it is called. */
function rankOf({ label, alias = '' }: Command, query: string): number {
  const name = normalizeText(label);
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  const typed = query.split(/\s+/);
  const begins = (text: string) => {
    const words = text.split(/[\s,/-]+/);
    return typed.every((word) => words.some((each) => each.startsWith(word)));
  };
  if (begins(name)) return 2;
  return begins(`${name} ${normalizeText(alias)}`) ? 3 : NO_MATCH;
}
