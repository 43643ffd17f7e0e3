/** Caches one value per key. Used for Intl formatters, which are far slower to create than to use. */
export function memoize<Key extends string, Value>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const cache = new Map<Key, Value>();
  return (key) => {
    let value = cache.get(key);
    if (value === undefined) {
      value = create(key);
      cache.set(key, value);
    }
    return value;
  };
}
