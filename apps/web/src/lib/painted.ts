/** A page that is not in sight is never painted. */
const AT_MOST_MS = 100;

/** Until the page shows that something was pressed. What takes long comes after, or a slow phone would seem not to listen. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
