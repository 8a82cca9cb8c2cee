import assert from "node:assert/strict";
import { test } from "node:test";
import { amountIn, moneyIn, patterns } from "../src/shared/money";

const by = patterns({ pay: [], generic: [], currencies: [] });
const of = (label: string, around = "") => moneyIn(by, [label], () => around);

test("labels that pay are known in three languages", () => {
  for (const label of ["Pay ¥100", "Pay now", "PAY", "Pay¥100", "Buy now", "Place order", "Proceed to checkout", "Purchase", "Subscribe", "Donate $5",
    "Ｐａｙ　ｎｏｗ", "P\u200bay", "立即支付", "去结算", "確認訂單", "购买", "转账", "購入する", "支払う", "お支払いへ進む", "注文を確定する", "送金"]) {
    assert.notEqual(of(label), undefined, label);
  }
});

test("what only speaks of money asks nobody", () => {
  for (const label of ["Display", "Payment history", "Payment methods", "Player", "Buyer's guide", "Order history", "支付方式", "購入履歴", "お支払い方法", "订阅说明",
    "Check out our new articles about travelling by train", "Confirm", "OK", "Next", "Add to cart", "Delete all", "Submit", "同意", "次へ", ""]) {
    assert.equal(of(label), undefined, label);
  }
});

test("a harmless word does not help a label with an amount", () => {
  assert.deepEqual(of("Pay ¥100 by the method above"), { label: "Pay ¥100 by the method above", amount: "¥100" });
});

test("a generic word counts beside an amount, at its beginning only", () => {
  assert.deepEqual(of("Confirm", "Total ¥1,280.00"), { label: "Confirm", amount: "¥1,280.00" });
  assert.equal(of("OK", "Only 25 EUR today")?.amount, "25 eur");
  assert.equal(of("确认", "合计 99元")?.amount, "99元");
  assert.equal(of("次へ", "合計 1万円")?.amount, "1万円");
  assert.equal(of("Continue ($9.99)")?.amount, "$9.99");
  assert.equal(of("Do not confirm", "¥100"), undefined);
  assert.equal(of("Okinawa", "¥100"), undefined);
  assert.equal(of("Next", "3 of 12 pages"), undefined);
});

test("amounts need a currency", () => {
  const cases: [string, string | undefined][] = [["¥ 1,000", "¥ 1,000"], ["￥100", "¥100"], ["1.280,00 €", "1.280,00 €"], ["USD 20", "usd 20"], ["20 dollars", "20 dollars"], ["2026", undefined], ["20 dollarsign", undefined], ["v1.2", undefined]];
  for (const [text, amount] of cases) assert.equal(amountIn(by, text), amount, text);
});

test("words of the user's own are added and none is lost", () => {
  const more = patterns({ pay: ["spenden", "(", "x".repeat(100)], generic: ["weiter"], currencies: ["taler"] });
  assert.notEqual(moneyIn(more, ["Jetzt spenden"], () => ""), undefined);
  assert.equal(moneyIn(more, ["Weiter"], () => "7 Taler")?.amount, "7 taler");
  assert.notEqual(moneyIn(more, ["Pay"], () => ""), undefined);
  assert.equal(moneyIn(more, ["Versenden"], () => ""), undefined);
});

test("the first label that says so is shown, cut", () => {
  assert.equal(moneyIn(by, ["Go", "Place order"], () => "")?.label, "Place order");
  assert.ok((of(`Pay $5 ${"now ".repeat(40)}`)?.label.length ?? 0) <= 80);
});
