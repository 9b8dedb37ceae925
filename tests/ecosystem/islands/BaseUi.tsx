import { Switch } from "@base-ui/react/switch";
import { useState } from "react";

export default function BaseUi() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <Switch.Root checked={isOn} onCheckedChange={setOn} aria-label="Delivery" data-act>
        <Switch.Thumb>on</Switch.Thumb>
      </Switch.Root>
      {isOn && <p data-done>Delivered</p>}
    </>
  );
}
