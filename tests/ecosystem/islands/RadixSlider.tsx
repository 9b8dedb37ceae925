import * as Slider from "@radix-ui/react-slider";
import { useState } from "react";

export default function RadixSlider() {
  const [value, setValue] = useState([40]);
  return (
    <>
      <Slider.Root value={value} onValueChange={setValue}>
        <Slider.Track>
          <Slider.Range />
        </Slider.Track>
        <Slider.Thumb aria-label="Loaves" data-key="ArrowRight" />
      </Slider.Root>
      {value[0] === 41 && <p data-done>41</p>}
    </>
  );
}
