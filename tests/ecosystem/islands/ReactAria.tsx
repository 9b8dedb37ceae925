import { useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";

export default function ReactAria() {
  const [isPressed, setPressed] = useState(false);
  return (
    <>
      <TextField>
        <Label>Name</Label>
        <Input />
      </TextField>
      <Button data-act onPress={() => setPressed(true)}>
        Send
      </Button>
      {isPressed && <p data-done>Sent</p>}
    </>
  );
}
