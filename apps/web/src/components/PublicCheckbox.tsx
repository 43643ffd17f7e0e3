import classes from './PublicLayout.module.css';

interface CheckboxProps {
  label: string;
  description?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const PublicCheckbox = ({ label, description, checked, onChange }: CheckboxProps) => (
  <label className={classes.check}>
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>
      {label}
      {description && <small>{description}</small>}
    </span>
  </label>
);
