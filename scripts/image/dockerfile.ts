export interface Instruction {
  /** In upper case, such as RUN. */
  readonly verb: string;
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
  const values = new Map<string, string>();
  for (const line of source.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, verb = '', text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (verb === '') throw new Error(`Not an instruction: ${line}`);
    const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
    if (verb === 'ARG') {
      const [name = '', value = ''] = filled.split('=');
      values.set(name, value);
    } else if (verb === 'FROM') {
      const [from = '', name = ''] = filled.split(' AS ');
      stages.push({ from, name, steps: [] });
    } else stages.at(-1)?.steps.push({ verb, text: filled });
  }
  return stages;
}

/** The arguments of an instruction in exec form, which runs without a shell. */
export function execForm(stage: Stage, verb: 'CMD' | 'HEALTHCHECK'): string[] {
  const step = stage.steps.findLast((each) => each.verb === verb);
  const [json] = /\[.*\]$/.exec(step?.text ?? '') ?? [];
  if (json === undefined) throw new Error(`${verb} has no JSON form`);
  return JSON.parse(json) as string[];
}

export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = stage.steps
    .filter((step) => step.verb === 'ENV')
    .flatMap((step) => step.text.split(' '))
    .map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}
