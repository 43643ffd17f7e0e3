import { Select, type SelectProps } from '@mantine/core';

export function TimeZoneField({ own, ...field }: SelectProps & { own: string }) {
  return (
    <Select
      {...field}
      data={timeZonesIncluding(own)}
      searchable
      nothingFoundMessage="No such time zone"
      // The library's own scroll area cannot be reached by the keyboard.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
    />
  );
}

/** Browsers leave out some older names; the tutor's own must be there whatever it is. */
function timeZonesIncluding(own: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.includes(own) ? zones : [own, ...zones];
}
