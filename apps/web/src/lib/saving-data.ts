interface Connection {
  saveData?: boolean;
}

/** Whether the tutor has asked the browser to be sparing with data: then nothing is fetched before it is wanted. */
export function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true;
}
