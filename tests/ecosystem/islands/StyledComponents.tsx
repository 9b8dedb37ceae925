import { useState } from "react";
import styled from "styled-components";

const Button = styled.button<{ $on: boolean }>`
  color: ${({ $on }) => ($on ? "rgb(1, 2, 3)" : "brown")};
`;

export default function StyledComponents() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <Button type="button" data-act data-color="rgb(1, 2, 3)" $on={isOn} onClick={() => setOn(true)}>
        Bread
      </Button>
      {isOn && <p data-done>on</p>}
    </>
  );
}
