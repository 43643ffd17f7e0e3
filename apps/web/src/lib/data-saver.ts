interface Connection {
  saveData?: boolean;
}

/** Whether the browser is in data saver mode, in which case nothing is prefetched. */
export function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true;
}
