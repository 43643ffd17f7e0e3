import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractTexts, splitIdentifier } from './extract-texts.ts';
import { AMBIGUOUS_PHRASES, BANNED_PHRASES, BANNED_UI_PHRASES, countPhrase } from './phrases.ts';

export interface WordingException {
  path: string;
  phrase: string;
  reason: string;
}

export interface WordingConfig {
  /** Maximum number of ambiguous words in the whole tree. */
  ambiguousLimit: number;
  exceptions: WordingException[];
  /** Former paths with unclear names, which must not be used again. */
  retiredPaths: string[];
}

export interface WordingReport {
  problems: string[];
  ambiguousCounts: Map<string, number>;
  /** The total number of ambiguous words. */
  ambiguousTotal: number;
}

const MAX_EXCEPTIONS = 30;

/** Checks the names, comments, test titles and UI text in `paths`, and that no retired path exists. */
export function checkWording(
  root: string,
  paths: readonly string[],
  config: WordingConfig,
): WordingReport {
  const problems: string[] = [];
  const ambiguous = new Map(AMBIGUOUS_PHRASES.map((phrase) => [phrase, 0]));
  const unused = new Set(config.exceptions);

  for (const path of paths) {
    const source = readFileSync(join(root, path), 'utf8');
    const fileName = { kind: 'file name', text: splitIdentifier(path), line: 1 };
    for (const { kind, text, line } of [fileName, ...extractTexts(path, source)]) {
      const isUiText = kind === 'UI text';
      const banned = isUiText ? [...BANNED_PHRASES, ...BANNED_UI_PHRASES] : BANNED_PHRASES;
      for (const phrase of banned) {
        if (countPhrase(text, phrase) === 0) continue;
        const allowed = config.exceptions.find(
          (exception) => exception.path === path && exception.phrase === phrase,
        );
        if (allowed) unused.delete(allowed);
        else problems.push(`${path}:${line} ${kind}: "${phrase}"`);
      }
      if (isUiText) continue;
      for (const phrase of AMBIGUOUS_PHRASES) {
        ambiguous.set(phrase, (ambiguous.get(phrase) ?? 0) + countPhrase(text, phrase));
      }
    }
  }

  for (const path of config.retiredPaths) {
    if (existsSync(join(root, path))) problems.push(`${path}: this name was retired`);
  }
  for (const { path, phrase } of unused) {
    problems.push(`The exception for "${phrase}" in ${path} is no longer needed`);
  }
  if (config.exceptions.length > MAX_EXCEPTIONS) {
    problems.push(`${config.exceptions.length} exceptions; at most ${MAX_EXCEPTIONS} are allowed`);
  }
  const total = [...ambiguous.values()].reduce((sum, count) => sum + count, 0);
  if (total > config.ambiguousLimit) {
    problems.push(`${total} ambiguous words; the limit is ${config.ambiguousLimit}`);
  }
  return { problems, ambiguousCounts: ambiguous, ambiguousTotal: total };
}
