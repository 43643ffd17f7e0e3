/**
 * A browser opens a tab only while a tap is being dealt with, and the address comes a moment later. So the tab is opened
 * first and sent on its way when the address is known.
 */
export function newTab() {
  const tab = window.open('', '_blank');
  return {
    /** False where the browser did not allow it; then a link has to do. */
    goTo(address: string): boolean {
      if (!tab) return false;
      // What is opened there must not reach back into the book.
      tab.opener = null;
      tab.location.replace(address);
      return true;
    },
    close: () => tab?.close(),
  };
}
