import type { Icon } from '@tabler/icons-react';
import { normalizeText } from '../../lib/normalize-text.ts';

export const SECTIONS = ['Lesson', 'Do', 'Go to', 'Students', 'Families'] as const;
export type Section = (typeof SECTIONS)[number];

export interface Command {
  id: string;
  section: Section;
  label: string;
  hint?: string | undefined;
  /** Additional search terms. */
  keywords?: string;
  Icon: Icon;
  /** A page takes the focus, a dialog restores it, and a further step keeps the palette open. */
  opens: 'page' | 'dialog' | 'step';
  run: () => void;
}

export interface SearchSection {
  section: Section;
  commands: Command[];
}

/** The number of results without a query: actions, the main pages and the first students. */
const DEFAULT_COUNTS: Record<Section, number> = {
  Lesson: 0,
  Do: 6,
  'Go to': 5,
  Students: 5,
  Families: 0,
};
const MAX_RESULTS = 8;

/** Sorts sections by their best match, and commands within a section by rank. */
export function searchCommands(commands: readonly Command[], typed: string): SearchSection[] {
  const query = normalizeText(typed).trim();
  const sections = SECTIONS.map((section) => {
    const sectionCommands = commands.filter((command) => command.section === section);
    // A single section is shown in full.
    const count =
      sectionCommands.length === commands.length ? MAX_RESULTS : DEFAULT_COUNTS[section];
    if (query === '') return { section, bestRank: 0, commands: sectionCommands.slice(0, count) };
    const ranked = sectionCommands
      .map((command) => ({ command, rank: rankOf(command, query) }))
      .filter(({ rank }) => rank < NO_MATCH)
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MAX_RESULTS);
    return {
      section,
      bestRank: ranked[0]?.rank ?? NO_MATCH,
      commands: ranked.map(({ command }) => command),
    };
  });
  return sections
    .filter((result) => result.commands.length > 0)
    .toSorted((a, b) => a.bestRank - b.bestRank)
    .map(({ section, commands: found }) => ({ section, commands: found }));
}

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
  return matches(`${name} ${normalizeText(keywords)}`) ? 3 : NO_MATCH;
}
