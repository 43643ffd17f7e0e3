/** A time zone in which it is about noon now, so that quiet hours do not delay automatic messages in tests. */
export function daytimeZone(now = new Date()): string {
  const offset = 12 - now.getUTCHours();
  // The signs in these names are inverted: Etc/GMT-2 is two hours ahead of UTC.
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
