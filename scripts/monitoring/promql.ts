import { parser } from '@prometheus-io/lezer-promql';

export interface PromqlQuery {
  /** Names of metrics, each with the labels that it is chosen by. */
  readonly selectors: readonly Selector[];
  /** Labels that results are put together by. */
  readonly groupedBy: readonly string[];
}

interface Selector {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads an expression by Prometheus' own grammar; throws where it does not hold. */
export function parsePromql(expression: string): PromqlQuery {
  // Grafana's variables stand for durations.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors: Selector[] = [];
  const groupedBy: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const word = text.slice(from, to);
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expression}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        const metric = name ? text.slice(name.from, name.to) : '';
        selectors.push({ metric, labels: parseLabels(word) });
      }
      if (type.name === 'GroupingLabels')
        groupedBy.push(
          ...word
            .replaceAll(/[()\s]/g, '')
            .split(',')
            .filter(Boolean),
        );
    },
  });
  return { selectors, groupedBy };
}

function parseLabels(selector: string): Record<string, string> {
  const matchers = [...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)\s*"([^"]*)"/g)];
  return Object.fromEntries(matchers.map(([, label = '', value = '']) => [label, value]));
}

/** The metrics in a text of Prometheus' format, each with its labels; a histogram is known by the names of its parts. */
export function parseMetrics(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', kind = ''] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const parts = kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const part of parts) found.set(name + part, new Set());
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{([^}]*)\} /gm)) {
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  }
  return found;
}
