import {
  commands,
  processGroups,
  type SettingGroup,
  setting,
  settingDocs,
} from '@lessonbook/server/src/env-schema.ts';
import * as z from 'zod/mini';

/** Read by the scripts and by Vite, never by the server. */
export const development: SettingGroup = {
  title: 'Development',
  intro:
    '`npm run dev` sets all of the above itself and passes `LOG_LEVEL` on. Beside them it knows these; the last two are for Vite when it is run by itself.',
  settings: {
    SEED_DEMO: setting(z._default(z.enum(['yes', 'no']), 'yes'), '`no` leaves the demo tutor out'),
    API_URL: setting(z._default(z.string(), 'http://127.0.0.1:3000'), 'where the API is'),
    WEB_PORT: setting(z._default(z.string(), '5173'), 'where to listen'),
  },
};

const HEAD = `# Configuration

<!-- Written by \`npm run config:reference\` from apps/server/src/env-schema.ts: change it there. -->

Everything that differs between machines comes from the environment and is read once, in
\`apps/server/src/config.ts\`; no other file of the server may read \`process.env\`. A process whose configuration is not
complete names what is missing and does not start. A variable that is set to nothing counts as not set. Those marked
**secret** belong into a file that only the operator can read; they are never logged.
`;

/** docs/configuration.md, as it must be. */
export function configurationReference(): string {
  const groups: readonly SettingGroup[] = [...processGroups, commands, development];
  return [HEAD, ...groups.map(renderSection)].join('\n');
}

function renderSection({ title, intro, settings, allOrNone: together }: SettingGroup): string {
  const rows = Object.entries(settings).map(
    ([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${describeSetting(name, schema)} |`,
  );
  const text = [intro, together && allOrNone(together)].filter(Boolean).join(' ');
  return [
    `## ${title}\n`,
    ...(text ? [`${wrapText(text)}\n`] : []),
    '| Variable | Default | Means |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const allOrNone = (names: readonly string[]): string =>
  `Set together or not at all: ${names.map((name) => `\`${name}\``).join(', ')}.`;

/** What the schema makes of nothing at all: the same that a process would. */
function defaultOf(schema: z.ZodMiniType): string {
  const unset = schema.safeParse(undefined);
  if (!unset.success) return 'required';
  return unset.data === undefined || unset.data === ''
    ? 'none'
    : `\`${unset.data as string | number}\``;
}

function describeSetting(name: string, schema: z.ZodMiniType): string {
  const described = settingDocs.get(schema);
  if (!described) throw new Error(`${name} has no description`);
  return described.secret ? `**secret**; ${described.description}` : described.description;
}

const WIDTH = 120;

function wrapText(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
