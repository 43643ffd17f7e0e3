/** The cached value of a key. Computes and caches it the first time. */
export function getOrCompute<Value>(
  cache: Map<string, Value>,
  key: string,
  compute: () => Value,
): Value {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = compute();
  cache.set(key, value);
  return value;
}
