/** '4:30pm', '4pm', '12 noon' or '12 midnight', because '12pm' is often misread as midnight. */
export function formatTime12(time: string): string {
  const [hour, minutes] = [Number(time.slice(0, 2)), time.slice(3, 5)];
  if (minutes === '00' && hour % 12 === 0) return hour === 12 ? '12 noon' : '12 midnight';
  const shown = `${hour % 12 === 0 ? 12 : hour % 12}${minutes === '00' ? '' : `:${minutes}`}`;
  return `${shown}${hour < 12 ? 'am' : 'pm'}`;
}
