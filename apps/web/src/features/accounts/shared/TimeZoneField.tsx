import { Select, type SelectProps } from '@mantine/core';
import { formatTimeZone } from '../../../lib/format.ts';

export function TimeZoneField({ current, ...field }: SelectProps & { current: string }) {
  return (
    <Select
      {...field}
      data={timeZonesIncluding(current)}
      searchable
      nothingFoundMessage="No time zones found"
      // The library's scroll area cannot be reached by keyboard.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
    />
  );
}

/** Browsers omit some older names, so the tutor's current time zone is added if missing. */
function timeZonesIncluding(current: string): { value: string; label: string }[] {
  const zones = Intl.supportedValuesOf('timeZone');
  const names = zones.filter((zone) => formatTimeZone(zone) !== current || zone === current);
  return (names.includes(current) ? names : [current, ...names]).map((value) => ({
    value,
    label: formatTimeZone(value),
  }));
}
