export interface Instruction {
  /** In upper case, such as RUN. */
  readonly keyword: string;
  readonly text: string;
}

export interface Stage {
  /** The base image. */
  readonly from: string;
  readonly name: string;
  readonly steps: readonly Instruction[];
}

/** Parses the stages of a Dockerfile and substitutes ARG values. Line continuations are not supported. */
export function parseDockerfile(source: string): Stage[] {
  const stages: Array<Stage & { steps: Instruction[] }> = [];
  const argValues = new Map<string, string>();
  for (const line of source.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, keyword = '', text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (keyword === '') throw new Error(`Not an instruction: ${line}`);
    const substituted = text.replaceAll(
      /\$\{(\w+)\}/g,
      (_, name: string) => argValues.get(name) ?? '',
    );
    if (keyword === 'ARG') {
      const [name = '', value = ''] = substituted.split('=');
      argValues.set(name, value);
    } else if (keyword === 'FROM') {
      const [from = '', name = ''] = substituted.split(' AS ');
      stages.push({ from, name, steps: [] });
    } else stages.at(-1)?.steps.push({ keyword, text: substituted });
  }
  return stages;
}

/** The arguments of an instruction in exec form, which runs without a shell. */
export function readExecForm(stage: Stage, keyword: 'CMD' | 'HEALTHCHECK'): string[] {
  const step = stage.steps.findLast((each) => each.keyword === keyword);
  const [json] = /\[.*\]$/.exec(step?.text ?? '') ?? [];
  if (json === undefined) throw new Error(`${keyword} is not in exec form`);
  return JSON.parse(json) as string[];
}

export function readEnvironment(stage: Stage): Record<string, string> {
  const pairs = stage.steps
    .filter((step) => step.keyword === 'ENV')
    .flatMap((step) => step.text.split(' '))
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
