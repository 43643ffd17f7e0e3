/** An address, or a meeting link that opens. */
export function Place({ place }: { place: string }) {
  if (!/^https?:\/\//i.test(place)) return place;
  return (
    <a href={place} target="_blank" rel="noreferrer">
      {place.replace(/^https?:\/\//i, '')}
    </a>
  );
}
