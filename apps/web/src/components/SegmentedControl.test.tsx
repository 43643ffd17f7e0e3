import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SegmentedControl } from './SegmentedControl.tsx';

const options = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const;

function renderControl(manualActivation: boolean) {
  const onChange = vi.fn();
  render(
    <SegmentedControl
      label="Board"
      value="month"
      options={options}
      onChange={onChange}
      manualActivation={manualActivation}
    />,
  );
  return { onChange, user: userEvent.setup({ delay: null }) };
}

test.each(['{Enter}', ' '])(
  'F63 arrow keys move focus without selecting, and %j selects',
  async (key) => {
    const { onChange, user } = renderControl(true);
    await user.tab();
    await user.keyboard('{ArrowRight}');
    const week = screen.getByRole('radio', { name: 'Week' });
    expect(document.activeElement).toBe(week);
    expect(onChange).not.toHaveBeenCalled();
    await user.keyboard(key);
    expect(onChange.mock.calls).toEqual([['week']]);
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Month' }));
  },
);

test('in a form, arrow keys select as in any radio group', async () => {
  const { onChange, user } = renderControl(false);
  await user.tab();
  await user.keyboard('{ArrowRight}');
  expect(onChange.mock.calls).toEqual([['week']]);
});
