import { useSelect } from "downshift";

const items = ["Rye", "Spelt"];

export default function Downshift() {
  const { isOpen, getToggleButtonProps, getLabelProps, getMenuProps, getItemProps } = useSelect({ items });
  return (
    <>
      <label {...getLabelProps()}>Loaf</label>
      <div {...getToggleButtonProps()} data-act>
        Choose
      </div>
      <ul {...getMenuProps()}>
        {isOpen &&
          items.map((item, index) => (
            <li key={item} {...getItemProps({ item, index })} data-done>
              {item}
            </li>
          ))}
      </ul>
    </>
  );
}
