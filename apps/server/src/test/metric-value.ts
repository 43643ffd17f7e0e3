import { register } from 'prom-client';

/** The value of a counter of this process; 0 if it has no sample with these labels. */
export async function metricValue(
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const metric = await register.getSingleMetric(name)?.get();
  const sample = metric?.values.find((each) =>
    Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  );
  return sample?.value ?? 0;
}
