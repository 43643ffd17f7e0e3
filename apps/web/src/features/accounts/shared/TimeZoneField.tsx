import { Select, type SelectProps } from '@mantine/core';

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
function timeZonesIncluding(current: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.includes(current) ? zones : [current, ...zones];
}
