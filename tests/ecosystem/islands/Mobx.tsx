import { makeAutoObservable } from "mobx";
import { observer } from "mobx-react-lite";

class Basket {
  count = 0;
  constructor() {
    makeAutoObservable(this);
  }
  add() {
    this.count++;
  }
}
const basket = new Basket();

export default observer(function Mobx() {
  return (
    <>
      <button type="button" data-act onClick={() => basket.add()}>
        {basket.count}
      </button>
      {basket.count > 0 && <p data-done>{basket.count}</p>}
    </>
  );
});
