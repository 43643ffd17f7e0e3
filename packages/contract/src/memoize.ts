/** Makes a thing for each name that is asked for, once: a formatter takes far longer to make than to use. */
export function memoize<Name extends string, Made>(
  make: (name: Name) => Made,
): (name: Name) => Made {
  const cache = new Map<Name, Made>();
  return (name) => {
    let value = cache.get(name);
    if (value === undefined) {
      value = make(name);
      cache.set(name, value);
    }
    return value;
  };
}
