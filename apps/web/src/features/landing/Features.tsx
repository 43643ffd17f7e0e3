import { Spot } from '../../components/Spot.tsx';
import { features } from './content.ts';
import classes from './Features.module.css';

export function Features() {
  return (
    <section id="features" className={classes.features} aria-labelledby="features-heading">
      <h2 id="features-heading">What is in the book</h2>
      <ul>
        {features.map(({ spot, title, text }) => (
          <li key={title}>
            <Spot name={spot} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
