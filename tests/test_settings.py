import pytest

from server.settings import BadSettings, Settings, describe_settings, variable_of

BAD = [
    ("REDIS_URL", "localhost:6379", "redis://host:port"),
    ("REDIS_URL", "http://:geheim@localhost:6379", "redis://host:port"),
    ("RACE_FRAMES_PER_S", "0", "> 0"),
    ("RACE_FRAMES_PER_S", "-1", "> 0"),
    ("RACE_FRAMES_PER_S", "inf", "<= 100000"),
    ("RACE_FRAMES_PER_S", "nan", "> 0"),
    ("RACE_FRAMES_PER_S", "fast", "float"),
    ("RACE_FRAMES_BURST", "9", ">= 10"),
    ("RACE_FRAMES_BURST", "9.5", "int"),
    ("RACE_OUTBOX_FRAMES", "15", ">= 16"),
    ("RACE_OUTBOX_FRAMES", "", "int"),
    ("RACE_HELLO_WITHIN_S", "61", "<= 60"),
    ("RACE_PLAYERS_PER_HOUR", "0", ">= 1"),
    ("RACE_ROOMS_PER_MINUTE", "many", "int"),
    ("RACE_CALLS_PER_MINUTE", "59", ">= 60"),
    ("RACE_ANALYSES_PER_MINUTE", "0", ">= 1"),
    ("RACE_SOLVER_PROCESSES", "-1", ">= 0"),
    ("RACE_WINNABLE_STOCK", "1001", "<= 1000"),
    ("RACE_LOG_LEVEL", "loud", "debug"),
    ("RACE_LOG_FORMAT", "xml", "json"),
]


def test_without_an_environment_everything_is_at_its_default() -> None:
    settings = Settings.from_environment({})

    assert settings == Settings()
    assert settings.database_url == "sqlite+aiosqlite:///./race.db"
    assert settings.redis_url == ""


def test_settings_are_read_from_the_environment() -> None:
    environment = {
        "DATABASE_URL": "postgresql://u@h/race",
        "REDIS_URL": "redis://h:6379/0",
        "RACE_FRAMES_PER_S": "12.5",
        "RACE_FRAMES_BURST": "40",
        "RACE_LOG_LEVEL": "debug",
        "RACE_LOG_FORMAT": "json",
        "PATH": "/bin",
    }

    assert Settings.from_environment(environment) == Settings(
        database_url="postgresql://u@h/race",
        redis_url="redis://h:6379/0",
        frames_per_s=12.5,
        frames_burst=40,
        log_level="debug",
        log_format="json",
    )


@pytest.mark.parametrize(("variable", "value", "mending"), BAD)
def test_a_value_that_cannot_be_names_the_variable_and_what_would_do(
    variable: str, value: str, mending: str
) -> None:
    with pytest.raises(BadSettings) as refused:
        Settings.from_environment({variable: value})

    said = str(refused.value)
    named = variable if variable == "REDIS_URL" else f"{variable}={value!r}"
    assert said.startswith(f"{named} will not do")
    assert "geheim" not in said
    assert mending in said
    assert description_of(variable) in said


def test_every_setting_that_can_be_bad_is_in_that_list() -> None:
    tried = {variable for variable, _, _ in BAD}

    assert tried == {row.variable for row in describe_settings()} - {"DATABASE_URL"}


def test_an_unknown_setting_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(BadSettings) as refused:
        Settings.from_environment({"RACE_FRAMES_PER_SECOND": "50"})

    said = str(refused.value)
    assert said.startswith("RACE_FRAMES_PER_SECOND is no setting")
    assert all(row.variable in said for row in describe_settings())


def test_every_setting_is_described_with_its_default_and_its_unit() -> None:
    rows = describe_settings()

    assert [row.variable for row in rows] == [
        variable_of(field) for field in Settings.__struct_fields__
    ]
    for row in rows:
        assert row.default == str(getattr(Settings(), field_of(row.variable)))
        assert len(row.description) > 10
    units = ("frames", "seconds", "per ", "debug", "json", "kept", "processes")
    assert all(any(unit in row.description for unit in units) for row in rows)


def test_every_default_would_be_accepted_from_the_environment() -> None:
    environment = {row.variable: row.default for row in describe_settings()}

    assert Settings.from_environment(environment) == Settings()


def description_of(variable: str) -> str:
    return next(row.description for row in describe_settings() if row.variable == variable)


def field_of(variable: str) -> str:
    return next(f for f in Settings.__struct_fields__ if variable_of(f) == variable)
