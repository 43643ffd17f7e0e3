/** Caches one value per key. For Intl formatters, which take far longer to create than to use. */
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
