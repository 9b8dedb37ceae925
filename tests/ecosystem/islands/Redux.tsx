import { configureStore, createSlice } from "@reduxjs/toolkit";
import { Provider, useDispatch, useSelector } from "react-redux";

const slice = createSlice({ name: "count", initialState: { loaves: 0 }, reducers: { add: (state) => void state.loaves++ } });
const store = configureStore({ reducer: slice.reducer });

function Counter() {
  const count = useSelector((state: { loaves: number }) => state.loaves);
  const dispatch = useDispatch();
  return (
    <>
      <button type="button" data-act onClick={() => dispatch(slice.actions.add())}>
        {count}
      </button>
      {count > 0 && <p data-done>{count}</p>}
    </>
  );
}

export default function Redux() {
  return (
    <Provider store={store}>
      <Counter />
    </Provider>
  );
}
