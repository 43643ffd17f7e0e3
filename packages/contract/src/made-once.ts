/** Makes a thing for each name that is asked for, once: a formatter takes far longer to make than to use. */
export function madeOnce<Name extends string, Made>(
  make: (name: Name) => Made,
): (name: Name) => Made {
  const made = new Map<Name, Made>();
  return (name) => {
    let known = made.get(name);
    if (known === undefined) {
      known = make(name);
      made.set(name, known);
    }
    return known;
  };
}
