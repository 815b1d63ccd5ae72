"""Why PySide6 is pinned: 6.12 on Python 3.10 and 3.11 aborts after some thousand calls that return nothing."""

from PySide6.QtWidgets import QApplication, QLabel


def test_20000_calls_into_qt_do_not_abort_the_process(qapp: QApplication) -> None:
    assert qapp
    label = QLabel()
    for number in range(20_000):
        label.setText(str(number))
    assert label.text() == "19999"
