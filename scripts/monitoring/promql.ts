import { parser } from '@prometheus-io/lezer-promql';

export interface PromqlQuery {
  /** Metric names with their label matchers. */
  readonly selectors: readonly Selector[];
  /** Labels in `by` clauses. */
  readonly groupedBy: readonly string[];
}

interface Selector {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Parses an expression with Prometheus' grammar; throws on a syntax error. */
export function parsePromql(expression: string): PromqlQuery {
  // A Grafana variable for a duration.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors: Selector[] = [];
  const groupedBy: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const source = text.slice(from, to);
      if (type.isError) throw new Error(`Invalid PromQL at offset ${from}: ${expression}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        const metric = name ? text.slice(name.from, name.to) : '';
        selectors.push({ metric, labels: parseLabels(source) });
      }
      if (type.name === 'GroupingLabels')
        groupedBy.push(
          ...source
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

/** Parses metrics and their labels from Prometheus' text format; a histogram is listed under the names of its series. */
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
